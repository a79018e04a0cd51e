"""Writes the invoices of the last hour for accounting."""

import csv
import sys
from decimal import Decimal


def parse_amount(text: str) -> Decimal:
    return Decimal(text.replace(",", "."))


def export(rows: list[dict[str, str]]) -> Decimal:
    writer = csv.writer(sys.stdout)
    total = Decimal(0)
    for row in rows:
        amount = parse_amount(row["amount"])
        total += amount
        writer.writerow([row["invoice"], amount])
    return total


if __name__ == "__main__":
    export(list(csv.DictReader(sys.stdin)))
