package com.example.payments;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Charges customers through the provider. */
public final class PaymentService {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final Map<String, String> methods = new ConcurrentHashMap<>();
    private final ProviderClient provider;

    public PaymentService(ProviderClient provider) {
        this.provider = provider;
    }

    public String charge(String customerId, long cents) {
        String method = methods.get(customerId);
        if (method == null) {
            throw new IllegalStateException("No payment method for customer " + customerId);
        }
        return provider.charge(method, cents, TIMEOUT);
    }
}
