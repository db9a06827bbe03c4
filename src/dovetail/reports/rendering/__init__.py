"""Pages as HTML, Markdown, LaTeX and text for a terminal."""
