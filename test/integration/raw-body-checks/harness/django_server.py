"""Serves the view of views.py in the working directory by Django's own request handling."""

import os
import sys

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import path
from waitress import serve

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="only-for-this-test",
)
django.setup()

sys.path.insert(0, os.getcwd())
import views  # noqa: E402

urlpatterns = [path("webhooks", views.webhooks)]

# It buffers chunked bodies, which Django ignores under WSGI.
serve(
    get_wsgi_application(),
    host="127.0.0.1",
    port=int(sys.argv[1]),
    max_request_body_size=10 * 1024 * 1024,
)
