"""What the applications' scripts share.

Each script makes its data in the folder it is given, listens on a free port of loopback, prints one line of JSON (the
address of a list, and the truth about it) and serves until its standard input ends, so that none outlives its test.
"""

import json
import os
import sys
import threading


def ready(url, records, pages, counter):
    """Tells the test where the list is, the addresses of its records in order, and how many pages and records it shows."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    print(json.dumps({"url": url, "records": records, "pages": pages, "counter": counter}), flush=True)


def _end_with_input():
    sys.stdin.buffer.read()
    os._exit(0)
