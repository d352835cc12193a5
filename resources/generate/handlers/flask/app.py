import os

from flask import Flask, request
from webhooks import receive

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 10 * 1024 * 1024


@app.post("/webhooks")
def webhooks():
    signature = request.headers.get("X-Service-Signature", "")
    return "", receive(request.get_data(), signature)


if __name__ == "__main__":
    app.run(port=int(os.environ.get("PORT", "3000")))
