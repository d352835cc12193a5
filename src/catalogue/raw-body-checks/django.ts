import { headerName } from '../headers.ts'
import { defineRawBodyCheck, pythonChecks } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'django',
  label: 'Django',
  language: 'Python',
  fileName: 'views.py',
  note: 'request.body returns the received bytes, unless something has read the request as a stream before. In urls.py: path("webhooks", views.webhooks). Bodies over DATA_UPLOAD_MAX_MEMORY_SIZE (2.5 MB) are rejected. Under WSGI, Django ignores bodies without Content-Length: use ASGI, or a server that buffers, such as Waitress.',
  code: (brand, { imports, text } = pythonChecks) => `${imports}
from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
${text}

@csrf_exempt  # The signature says who sends, not a cookie.
@require_POST
def webhooks(request):
    signature = request.headers.get("${headerName(brand, 'signature')}", "")
    return HttpResponse(status=receive(request.body, signature))
`,
})
