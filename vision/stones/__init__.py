"""The digits of the druid stones and what tells their colours."""
