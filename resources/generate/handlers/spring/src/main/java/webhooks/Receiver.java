package webhooks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

@Component
class Receiver {
    private static final Logger log = LoggerFactory.getLogger(Receiver.class);
    private static final int MAX_SEEN = 100_000;

    // In production, use a table with a unique key instead: this forgets everything at a restart.
    private final Set<List<Object>> seen = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Object>, Boolean> eldest) {
            return size() > MAX_SEEN;
        }
    });
    // In production, use a queue that survives a restart.
    private final ExecutorService queue = Executors.newSingleThreadExecutor();
    private final List<byte[]> secrets;
    private final EventHandlers handlers;

    Receiver(EventHandlers handlers) {
        this.handlers = handlers;
        String secret = environment("WEBHOOK_SECRET");
        if (secret.isEmpty()) throw new IllegalStateException("Set WEBHOOK_SECRET.");
        secrets = Stream.of(secret, environment("WEBHOOK_PREVIOUS_SECRET"))
                .filter(each -> !each.isEmpty())
                .map(each -> each.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    private static String environment(String name) {
        return Objects.requireNonNullElse(System.getenv(name), "");
    }

    /** Verifies the bytes of a request as received. Returns the status to respond with. */
    int receive(byte[] rawBody, String signature) {
        if (secrets.stream().noneMatch(secret -> matches(secret, rawBody, signature))) return 401;
        WebhookEvent event = WebhookEvent.parse(rawBody).orElse(null);
        if (event == null) return 400;
        if (event instanceof WebhookEvent.EventBase known) accept(known);
        else log.info("Ignored an event of the type {}: it is not known.", event.type());
        return 204;
    }

    private static boolean matches(byte[] secret, byte[] rawBody, String signature) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            String expected = HexFormat.of().formatHex(mac.doFinal(rawBody));
            // In constant time; false when the lengths differ.
            return MessageDigest.isEqual(
                    expected.getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private void accept(WebhookEvent.EventBase event) {
        // There is no event ID.
        List<Object> key = Arrays.asList(
                event.type(),
                event.targetUuid(),
                event.targetId(),
                event.locationUuid(),
                event.locationId(),
                event.createdAt());
        synchronized (seen) {
            if (seen.add(key)) queue.execute(() -> process(key, event));
        }
    }

    private void process(List<Object> key, WebhookEvent.EventBase event) {
        try {
            handlers.handle(event);
            log.info("Processed {}", key);
        } catch (RuntimeException error) {
            synchronized (seen) {
                seen.remove(key); // It is processed if it is sent again.
            }
            log.error("Failed to process {}", key, error);
        }
    }
}
