"""Opens the page of `dovetail ui` as a browser does: `python open_page.py PATH-OF-DOVETAIL`.

Ends with an exception where the page is not served, or the server does not end at Ctrl-C.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from http.cookiejar import CookieJar
from urllib.request import HTTPCookieProcessor, build_opener

LIMIT_S = 60

with subprocess.Popen(
    [sys.argv[1], "ui", "--no-browser"], stdout=subprocess.PIPE, text=True
) as server:
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    opener = build_opener(HTTPCookieProcessor(CookieJar()))
    page = opener.open(address, timeout=LIMIT_S).read().decode()
    script = opener.open(address.partition("?")[0] + "static/main.js", timeout=LIMIT_S)
    server.send_signal(signal.SIGINT)
    status = server.wait(LIMIT_S)
if "main.js" not in page or script.status != 200 or status != 0:
    raise SystemExit(f"the page is not served: {page[:200]!r}, exit status {status}")
sys.stdout.write("dovetail ui: the page is served from the wheel\n")
