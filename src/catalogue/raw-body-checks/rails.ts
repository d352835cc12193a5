import { headerName } from '../headers.ts'
import { defineRawBodyCheck } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'rails',
  label: 'Rails',
  language: 'Ruby',
  fileName: 'app/controllers/webhooks_controller.rb',
  note: 'params holds the parsed body, and to_json writes it with different bytes. request.raw_post returns the received bytes. In config/routes.rb: post "/webhooks", to: "webhooks#create".',
  code: (
    brand,
  ) => `# ActionController::API: no form, no session, so no authenticity token is asked for.
class WebhooksController < ActionController::API
  SECRET = ENV["WEBHOOK_SECRET"].presence || raise("Set WEBHOOK_SECRET.")
  # In production, use a table with a unique key: this forgets everything at a restart.
  SEEN = Concurrent::Map.new

  def create
    return head :unauthorized unless authentic?

    event = JSON.parse(request.raw_post)
    return head :bad_request unless event.is_a?(Hash) && event["type"].is_a?(String)

    process_event(event) # Long work belongs in a job.
    head :no_content
  rescue JSON::ParserError
    head :bad_request
  end

  private

  def authentic?
    expected = OpenSSL::HMAC.hexdigest("SHA256", SECRET, request.raw_post)
    given = request.headers["${headerName(brand, 'signature')}"].to_s
    # In constant time; false when the lengths differ.
    ActiveSupport::SecurityUtils.secure_compare(given, expected)
  end

  def process_event(event)
    # There is no event ID.
    key = [event["type"], event["targetUuid"] || event["targetId"], event["createdAt"]]
    return if SEEN.put_if_absent(key, true)

    case event["type"]
    when "ORDER_PLACED", "OPEN_TAB", "CLOSE_TAB", "ITEM_ADDED", "ITEM_REMOVED", "PRODUCT_UPDATED"
      logger.info("#{event["type"]} #{event["targetUuid"]}")
    end # Ignore other types: new ones may be added.
  end
end
`,
})
