"""What stands on no field: the gates, banks and wheels of `rolling`."""
