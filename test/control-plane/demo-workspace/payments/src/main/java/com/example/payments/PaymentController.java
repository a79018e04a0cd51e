package com.example.payments;

/** Answers POST /charges. */
public final class PaymentController {
    private final PaymentService service;

    public PaymentController(PaymentService service) {
        this.service = service;
    }

    public String create(String customerId, long cents) {
        if (cents <= 0) {
            throw new IllegalArgumentException("cents must be positive");
        }
        return service.charge(customerId, cents);
    }
}
