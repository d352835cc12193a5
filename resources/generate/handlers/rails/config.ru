require "rails"
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
