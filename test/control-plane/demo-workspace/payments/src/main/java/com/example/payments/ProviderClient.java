package com.example.payments;

import java.net.http.HttpTimeoutException;
import java.time.Duration;

/** Talks to the payment provider. */
public class ProviderClient {
    public String charge(String method, long cents, Duration timeout) {
        try {
            return send(method, cents, timeout);
        } catch (HttpTimeoutException cause) {
            throw new PaymentException("The provider did not answer within " + timeout, cause);
        }
    }

    private String send(String method, long cents, Duration timeout) throws HttpTimeoutException {
        throw new HttpTimeoutException("request timed out");
    }

    static final class PaymentException extends RuntimeException {
        PaymentException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
