import os

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
    print(f"Listening on http://127.0.0.1:{port}/webhooks", flush=True)
    serve(application, port=port, max_request_body_size=LIMIT)
