import { headerName } from '#catalogue/headers.ts'
import check from '#catalogue/raw-body-checks/rails.ts'
import { defineHandler } from '../generators.ts'
import type { PayloadModel } from '../model.ts'
import { snakeCase } from '../names.ts'
import { readme } from '../projects/readme.ts'
import { eventComment, lineComment } from '../source-text.ts'

export default defineHandler(check, (model) => [
  { path: 'Gemfile', text: gemfile },
  { path: 'config.ru', text: application },
  { path: 'config/puma.rb', text: puma },
  { path: check.fileName, text: controller(model.brand) },
  { path: 'lib/webhooks.rb', text: webhooks },
  { path: 'lib/event_handlers.rb', text: eventHandlers(model) },
  { path: '.gitignore', text: '.bundle\nlog\ntmp\n.env\n*.log\n' },
  readme(model, {
    label: check.label,
    commands: ['bundle install', 'bundle exec puma'],
    eventHandlers: 'lib/event_handlers.rb',
    receiver: 'lib/webhooks.rb',
    types: null,
  }),
])

const gemfile = `source "https://rubygems.org"

gem "rails", "~> 8.0"
gem "puma", "~> 6.4"
`

const puma = `port ENV.fetch("PORT", 3000)
# Larger bodies get 413.
http_content_length_limit 10 * 1024 * 1024
`

const application = `require "rails"
require "action_controller/railtie"

class Receiver < Rails::Application
  config.load_defaults Rails::VERSION::STRING.to_f
  config.eager_load = true
  # The signature says who sends, so any host name will do.
  config.hosts.clear
  config.consider_all_requests_local = false
  config.logger = ActiveSupport::Logger.new($stderr)
  config.log_level = :warn
  config.secret_key_base = ENV.fetch("SECRET_KEY_BASE") { SecureRandom.hex(64) }
end

# Nothing parses a body before its signature is verified.
ActionDispatch::Request.parameter_parsers = {}

require_relative "lib/webhooks"

Rails.application.initialize!
Rails.application.routes.draw { post "/webhooks", to: "webhooks#create" }

run Rails.application
`

const controller = (
  brand: string,
): string => `# ActionController::API: no form, no session, so no authenticity token is asked for.
class WebhooksController < ActionController::API
  def create
    signature = request.headers["${headerName(brand, 'signature')}"].to_s
    head Webhooks.receive(request.raw_post, signature)
  end
end
`

const webhooks = `require "json"
require "openssl"
require_relative "event_handlers"

module Webhooks
  SECRET = ENV["WEBHOOK_SECRET"].presence || raise("Set WEBHOOK_SECRET.")
  SECRETS = [SECRET, ENV["WEBHOOK_PREVIOUS_SECRET"].presence].compact.freeze

  # In production, use a table with a unique key instead: this forgets everything at a restart.
  SEEN = {}
  MAX_SEEN = 100_000
  LOCK = Mutex.new
  # In production, use a queue that survives a restart.
  QUEUE = Queue.new

  class << self
    # Verifies the bytes of a request as received. Returns the status to respond with.
    def receive(raw_body, signature)
      return 401 unless SECRETS.any? { |secret| matches?(secret, raw_body, signature) }

      event = parse(raw_body)
      return 400 if event.nil?

      if EventHandlers::METHODS.key?(event["type"])
        accept(event)
      else
        warn "Ignored an event of the type #{event["type"].inspect}: it is not known."
      end
      204
    end

    def process_events
      loop do
        key, event = QUEUE.pop
        begin
          EventHandlers.public_send(EventHandlers::METHODS.fetch(event["type"]), event)
          $stdout.puts "Processed #{key.inspect}"
          $stdout.flush
        rescue StandardError => error
          LOCK.synchronize { SEEN.delete(key) } # It is processed if it is sent again.
          warn "Failed to process #{key.inspect}: #{error.full_message}"
        end
      end
    end

    private

    def matches?(secret, raw_body, signature)
      expected = OpenSSL::HMAC.hexdigest("SHA256", secret, raw_body)
      # In constant time; false when the lengths differ.
      ActiveSupport::SecurityUtils.secure_compare(signature, expected)
    end

    def parse(raw_body)
      event = JSON.parse(raw_body)
      event if event.is_a?(Hash) && event["type"].is_a?(String)
    rescue JSON::ParserError, EncodingError
      nil
    end

    def accept(event)
      # There is no event ID.
      key = event.values_at("type", "targetUuid", "targetId", "locationUuid", "locationId", "createdAt")
      LOCK.synchronize do
        next if SEEN.key?(key)

        SEEN[key] = true
        SEEN.shift if SEEN.size > MAX_SEEN
        QUEUE << [key, event]
      end
    end
  end
end

Thread.new { Webhooks.process_events }
`

function eventHandlers({ events }: PayloadModel): string {
  return `# Called once for each event, after the response, in the order in which events were received.
# An error is logged.
module EventHandlers
  METHODS = {
${events.map(({ type }) => `    "${type}" => :on_${snakeCase(type)},\n`).join('')}  }.freeze
${events
  .map(
    (event) => `
${lineComment(eventComment(event), '  # ', 100)}  def self.on_${snakeCase(event.type)}(event)
  end
`,
  )
  .join('')}end
`
}
