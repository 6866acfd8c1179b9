import numpy as np
from scipy import optimize

from vision.robust import least_squares


def test_a_curve_is_found_among_wild_points_as_scipy_finds_it():
    rng = np.random.default_rng(3)
    x = np.linspace(-2, 2, 60)
    y = 0.3 * np.exp(0.8 * x) + rng.normal(0, 0.05, 60)
    y[::7] += 4

    def residuals(values):
        return (values[0] * np.exp(values[1] * x) - y) / 0.1

    def slopes(values):
        bent = np.exp(values[1] * x)
        return np.column_stack([bent, values[0] * x * bent]) / 0.1

    start = np.array([1.0, 0.0])
    expected = optimize.least_squares(residuals, start, slopes, loss="soft_l1", ftol=1e-14, xtol=1e-14).x
    assert np.allclose(least_squares(residuals, slopes, start), expected, atol=1e-5)
    assert np.allclose(expected, [0.3, 0.8], atol=0.05)


def test_a_value_that_nothing_depends_on_stays():
    found = least_squares(
        lambda values: values[:1] - 2, lambda values: np.array([[1.0, 0.0]]), np.array([0.0, 5.0])
    )
    assert np.allclose(found, [2.0, 5.0])
