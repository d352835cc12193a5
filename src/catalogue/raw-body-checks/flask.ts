import { headerName } from '../headers.ts'
import { defineRawBodyCheck, pythonChecks } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'flask',
  label: 'Flask',
  language: 'Python',
  fileName: 'app.py',
  note: 'request.json returns the parsed body, and json.dumps() writes it with different bytes. request.get_data() returns the received bytes.',
  code: (brand, { imports, text } = pythonChecks) => `${imports}
from flask import Flask, request
${text}
app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 10 * 1024 * 1024


@app.post("/webhooks")
def webhooks():
    signature = request.headers.get("${headerName(brand, 'signature')}", "")
    return "", receive(request.get_data(), signature)


if __name__ == "__main__":
    app.run(port=int(os.environ.get("PORT", "3000")))
`,
})
