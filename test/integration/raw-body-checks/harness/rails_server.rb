# Serves the controller in the working directory by a Rails application of its own.
require "action_controller/railtie"
require "action_controller/log_subscriber"
require "logger"
require "puma"

class Receiver < Rails::Application
  config.eager_load = false
  config.hosts.clear
  config.log_level = :info
  config.logger = Logger.new($stderr)
  config.secret_key_base = "only-for-this-test"
end
# It logs the parameters of each request, and a test counts the targets that the controller logs.
ActionController::LogSubscriber.detach_from(:action_controller)
Rails.application.initialize!
require File.join(Dir.pwd, "app/controllers/webhooks_controller.rb")
Rails.application.routes.draw { post "/webhooks", to: "webhooks#create" }

server = Puma::Server.new(Rails.application)
server.add_tcp_listener("127.0.0.1", Integer(ARGV.fetch(0)))
server.run.join
