
from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from webhooks import receive


@csrf_exempt  # The signature says who sends, not a cookie.
@require_POST
def webhooks(request):
    signature = request.headers.get("X-Service-Signature", "")
    return HttpResponse(status=receive(request.body, signature))
