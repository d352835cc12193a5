# ActionController::API: no form, no session, so no authenticity token is asked for.
class WebhooksController < ActionController::API
  def create
    signature = request.headers["X-Service-Signature"].to_s
    head Webhooks.receive(request.raw_post, signature)
  end
end
