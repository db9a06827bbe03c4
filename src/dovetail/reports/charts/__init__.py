"""Pictures of figures: axes, marks, lines and bars as SVG."""
