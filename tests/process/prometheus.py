"""Numbers for monitoring, read by Prometheus' own parser."""
import unittest

try:
    from prometheus_client.parser import text_string_to_metric_families
except ImportError:
    text_string_to_metric_families = None

needs_prometheus = unittest.skipIf(text_string_to_metric_families is None, "needs python3-prometheus-client")


def families_of(text):
    """By name; none is written twice."""
    families = list(text_string_to_metric_families(text))
    assert len(families) == len({family.name for family in families}), text
    return {family.name: family for family in families}
