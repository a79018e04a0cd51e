"""Scores products for a customer from what others bought with them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Neighbour:
    product_id: int
    weight: float


def normalise(neighbours: list[Neighbour]) -> dict[int, float]:
    total = sum(neighbour.weight for neighbour in neighbours)
    return {one.product_id: one.weight / total for one in neighbours}


def score(neighbours: list[Neighbour], bought: set[int]) -> list[tuple[int, float]]:
    weights = normalise(neighbours)
    fresh = [(product, weight) for product, weight in weights.items() if product not in bought]
    return sorted(fresh, key=lambda pair: pair[1], reverse=True)
