import { headerName } from '../headers.ts'
import { defineRawBodyCheck } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'django',
  label: 'Django',
  language: 'Python',
  fileName: 'views.py',
  note: 'request.body returns the received bytes, unless something has read the request as a stream before. In urls.py: path("webhooks", views.webhooks). Bodies over DATA_UPLOAD_MAX_MEMORY_SIZE are rejected before the view runs.',
  code: (brand) => `import hashlib
import hmac
import json
import os

from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

secret = os.environ.get("WEBHOOK_SECRET", "").encode()
if not secret:
    raise RuntimeError("Set WEBHOOK_SECRET.")


def is_authentic(raw_body: bytes, signature: str) -> bool:
    expected = hmac.new(secret, raw_body, hashlib.sha256).hexdigest()
    # As bytes: compare_digest raises on text that is not ASCII.
    return hmac.compare_digest(expected.encode(), signature.encode())


@csrf_exempt  # The signature says who sends, not a cookie.
@require_POST
def webhooks(request):
    raw_body = request.body
    if not is_authentic(raw_body, request.headers.get("${headerName(brand, 'signature')}", "")):
        return HttpResponse(status=401)
    event = json.loads(raw_body)
    print(event["type"])  # Long work belongs in a queue.
    return HttpResponse(status=204)
`,
})
