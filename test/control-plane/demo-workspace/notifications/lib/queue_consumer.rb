# frozen_string_literal: true

require_relative 'mailer'

# Sends a mail for every message of the queue.
class QueueConsumer
  def initialize(queue, mailer)
    @queue = queue
    @mailer = mailer
  end

  def run
    while (message = @queue.pop)
      @mailer.deliver(message.fetch(:recipient), message.fetch(:subject))
    end
  end
end
