"""What a bot could learn about the rolls to come."""

DEEDS = {}
