from pages.understand.predict.worksheet_card import is_public


def test_an_address_of_this_computer_or_this_house_is_not_public():
    at_home = (
        "http://localhost:8501/predict", "http://127.0.0.1:8501/predict", "http://[::1]:8501/",
        "http://0.0.0.0:8501", "http://192.168.1.20:8501", "http://10.0.0.3/", "http://172.16.5.4/",
        "http://169.254.3.3/", "http://[fd00::1]/", "http://teacher:8501/", "http://mac.local:8501",
        "http://pc.lan", "http://pc.home.arpa.", "", "predict",
    )  # fmt: skip
    everywhere = (
        "https://attention.example.org/predict",
        "https://x.streamlit.app",
        "http://8.8.8.8/",
    )
    assert [a for a in at_home if is_public(a)] == []
    assert [a for a in everywhere if not is_public(a)] == []
