require "json"
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
