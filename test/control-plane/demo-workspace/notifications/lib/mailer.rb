# frozen_string_literal: true

require 'socket'

# Hands mail to the relay.
class Mailer
  def initialize(host, port)
    @host = host
    @port = port
  end

  def deliver(recipient, subject)
    socket = TCPSocket.new(@host, @port)
    socket.puts "MAIL TO:#{recipient} #{subject}"
  ensure
    socket&.close
  end
end
