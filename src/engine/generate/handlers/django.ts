import check from '#catalogue/raw-body-checks/django.ts'
import { defineHandler } from '../generators.ts'
import { pythonProject } from '../projects/python.ts'

const server = `import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import path
from waitress import serve

import views

LIMIT = 10 * 1024 * 1024

settings.configure(ROOT_URLCONF=__name__, DATA_UPLOAD_MAX_MEMORY_SIZE=LIMIT)
urlpatterns = [path("webhooks", views.webhooks)]
application = get_wsgi_application()

if __name__ == "__main__":
    # It buffers chunked bodies, which Django ignores under WSGI.
    port = int(os.environ.get("PORT", "3000"))
    serve(application, port=port, max_request_body_size=LIMIT)
`

export default defineHandler(check, (model) =>
  pythonProject(model, {
    label: check.label,
    requirements: ['Django>=5.2,<6', 'waitress>=3.0,<4'],
    server: 'server.py',
    files: (receiver) => [
      { path: 'server.py', text: server },
      { path: check.fileName, text: check.code(model.brand, { ...receiver, imports: '' }) },
    ],
  }),
)
