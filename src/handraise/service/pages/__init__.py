"""Pages of plain HTML, which need nothing of the console."""
