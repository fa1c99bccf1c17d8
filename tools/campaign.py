"""What the tables of campaigns begin with: the commit and the machine."""
import os
import platform
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def commit():
    try:
        return subprocess.run(
            ["git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=12"], check=True,
            text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return (f"{models[0] if models else platform.machine()}, {len(os.sched_getaffinity(0))} cores, "
            f"Linux {platform.release()}")
