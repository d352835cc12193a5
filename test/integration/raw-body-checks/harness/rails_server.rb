# Serves the controller in the working directory by a Rails application of its own, over a socket.
require "action_controller/railtie"
require "logger"
require "socket"

class Receiver < Rails::Application
  config.eager_load = false
  config.hosts.clear
  config.logger = Logger.new($stderr)
  config.secret_key_base = "only-for-this-test"
end
Rails.application.initialize!
require File.join(Dir.pwd, "app/controllers/webhooks_controller.rb")
Rails.application.routes.draw { post "/webhooks", to: "webhooks#create" }

server = TCPServer.new("127.0.0.1", Integer(ARGV.fetch(0)))
loop do
  client = server.accept
  line = client.gets
  if line.nil?
    client.close
    next
  end
  method, target, = line.split
  env = {
    "REQUEST_METHOD" => method, "PATH_INFO" => target, "QUERY_STRING" => "", "SCRIPT_NAME" => "",
    "SERVER_NAME" => "127.0.0.1", "SERVER_PORT" => ARGV.fetch(0), "SERVER_PROTOCOL" => "HTTP/1.1",
    "rack.url_scheme" => "http", "rack.errors" => $stderr, "rack.version" => [1, 3],
    "rack.multithread" => false, "rack.multiprocess" => false, "rack.run_once" => false
  }
  while (header = client.gets) && header != "\r\n"
    name, value = header.b.chomp.split(/:[ \t]*/n, 2)
    key = name.upcase.tr("-", "_")
    env[%w[CONTENT_TYPE CONTENT_LENGTH].include?(key) ? key : "HTTP_#{key}"] = value
  end
  length = env["CONTENT_LENGTH"].to_i
  env["rack.input"] = StringIO.new(length.zero? ? "".b : client.read(length))
  status, _headers, body = Rails.application.call(env)
  body.close if body.respond_to?(:close)
  client.write("HTTP/1.1 #{status} x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
  client.close
end
