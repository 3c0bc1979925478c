import numpy as np

from core.experiments.rollout import rollout


def test_rollout_is_the_product_of_half_the_mean_plus_half_the_identity_by_plain_loops():
    random = np.random.default_rng(17)
    layers = random.dirichlet(np.ones(5), (3, 2, 7, 5))  # (layer, batch, head, query, key)
    found = rollout(layers)
    assert found.shape == (2, 5, 5)
    for sample in range(2):
        flowed = [[float(q == k) for k in range(5)] for q in range(5)]
        for heads in layers[:, sample]:
            mixed = [
                [(sum(heads[h, q, k] for h in range(7)) / 7 + (q == k)) / 2 for k in range(5)]
                for q in range(5)
            ]
            flowed = [
                [sum(mixed[q][m] * flowed[m][k] for m in range(5)) for k in range(5)]
                for q in range(5)
            ]
        np.testing.assert_allclose(found[sample], flowed, rtol=1e-12)
    np.testing.assert_allclose(found.sum(axis=-1), 1, rtol=1e-12)
