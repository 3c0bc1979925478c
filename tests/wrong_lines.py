"""Which invariants of attention each wrong line breaks."""

BREAKS = {
    "axis": {"rows_sum_to_one", "future_changes_nothing", "constant_changes_nothing"},
    "unscaled": {"spread_is_one"},
    "reshape": {"own_columns_only", "future_changes_nothing"},
    "upright": {"own_key_only", "future_changes_nothing"},
    "twice": {"width_is_whole"},
    "late_mask": {"rows_sum_to_one", "future_changes_nothing"},
    "zero_mask": {"forbidden_is_zero", "future_changes_nothing", "constant_changes_nothing"},
}
