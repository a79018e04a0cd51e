"""Answers requests for recommendations."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer

from .scoring import Neighbour, score


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        body = json.loads(self.rfile.read(length))
        neighbours = [Neighbour(**one) for one in body["neighbours"]]
        ranked = score(neighbours, set(body["bought"]))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(ranked).encode())


if __name__ == "__main__":
    HTTPServer(("", 8086), Handler).serve_forever()
