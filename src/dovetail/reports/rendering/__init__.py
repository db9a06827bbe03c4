"""Pages as HTML, Markdown, LaTeX and text for a terminal, and the elements of HTML and SVG."""
