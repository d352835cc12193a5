"""Serves the view of views.py in the working directory, by Django's own request handling."""

import os
import sys
from wsgiref.simple_server import make_server

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import path

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

with make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application()) as server:
    server.serve_forever()
