"""What a chart is: the class that each kind of chart extends, in a module of its own.

A chart draws itself, names its series in a legend and lists its figures. Pages and files of figures
know this class alone: a new kind of chart is one module, and a line where a page shows it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar
from urllib.parse import quote
from xml.etree.ElementTree import Element

from dovetail.reports.elements import element
from dovetail.reports.table import csv_lines

CSV = "data:text/csv;charset=utf-8"
UNTOUCHED = "/,:;()*!"  # what a data URL may have besides letters and digits
DIGITS = 6

Row = tuple[str | float | None, ...]


@dataclass(frozen=True)
class Chart(ABC):
    """A picture of figures; `alt_text` describes it to those who do not see it.

    `name` is unique among the charts of a part; the file with its figures is called after it, or
    by its number if the name is empty. `html_class` is the class of the figure on a page.
    """

    title: str
    alt_text: str
    name: str = field(default="", kw_only=True)

    html_class: ClassVar[str] = ""

    @abstractmethod
    def draw(self, identity: str) -> Element:
        """Draw the chart as SVG, without its legend; `identity` is unique on the page."""

    @abstractmethod
    def rows(self) -> Iterable[Row]:
        """Yield the titles of the columns, then all figures, as they are and not as shown."""

    def legend(self) -> Element | None:
        """Name the series beside their marks; None if the picture has all names."""
        return None

    def script(self) -> str:
        """Return the script that a page with such a chart runs, once for all of them."""
        return ""

    def content(self, identity: str) -> Iterator[Element | None]:
        """Yield what a page shows of the chart, above the link to its figures."""
        yield self.legend()
        yield self.draw(identity)

    def csv(self) -> str:
        """Write the figures as CSV: whole numbers exactly, others with six digits."""
        return csv_lines(self.rows(), DIGITS)

    def figure(self, identity: str) -> Element:
        """Make the figure of a page; `identity` is unique there and names the CSV file."""
        file_name = f"{identity}.csv"
        link = element("a", file_name, download=file_name, href=data_url(self.csv()))
        caption = element("figcaption", "figures: ", link, class_="download")
        attributes = {"class_": self.html_class} if self.html_class else {}
        return element("figure", *self.content(identity), caption, **attributes)


def data_url(csv: str) -> str:
    """Make an address that holds the text itself, in the shorter of the two encodings."""
    escaped = f"{CSV},{quote(csv, safe=UNTOUCHED)}"
    encoded = f"{CSV};base64,{b64encode(csv.encode()).decode()}"
    return min(escaped, encoded, key=len)
