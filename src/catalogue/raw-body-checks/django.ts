import { headerName } from '../headers.ts'
import { defineRawBodyCheck, pythonChecks } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'django',
  label: 'Django',
  language: 'Python',
  fileName: 'views.py',
  note: 'request.body returns the received bytes, unless something has read the request as a stream before. In urls.py: path("webhooks", views.webhooks). Bodies over DATA_UPLOAD_MAX_MEMORY_SIZE (2.5 MB) are rejected. Under WSGI, Django ignores bodies without Content-Length: use ASGI, or a proxy that buffers.',
  code: (brand) => `import hashlib
import hmac
import json
import os
import threading

from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

secret = os.environ.get("WEBHOOK_SECRET", "").encode()
if not secret:
    raise RuntimeError("Set WEBHOOK_SECRET.")


${pythonChecks}


@csrf_exempt  # The signature says who sends, not a cookie.
@require_POST
def webhooks(request):
    raw_body = request.body
    if not is_authentic(raw_body, request.headers.get("${headerName(brand, 'signature')}", "")):
        return HttpResponse(status=401)
    event = parse_event(raw_body)
    if event is None:
        return HttpResponse(status=400)
    process_event(event)  # Long work belongs in a queue.
    return HttpResponse(status=204)
`,
})
