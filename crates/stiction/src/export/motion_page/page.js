// The page of one run: its picture starts to move.
moving(document.getElementById("motion"), JSON.parse(document.querySelector('script[type="application/json"]').textContent));
