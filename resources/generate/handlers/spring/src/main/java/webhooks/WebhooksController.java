package webhooks;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Objects;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class WebhooksController {
    private static final int LIMIT = 10 * 1024 * 1024;

    private final Receiver receiver;

    WebhooksController(Receiver receiver) {
        this.receiver = receiver;
    }

    // The bytes as received: a @RequestBody would be parsed or decoded.
    @PostMapping("/webhooks")
    ResponseEntity<Void> receive(HttpServletRequest request) throws IOException {
        if (request.getContentLengthLong() > LIMIT) return ResponseEntity.status(413).build();
        byte[] rawBody = request.getInputStream().readNBytes(LIMIT + 1);
        if (rawBody.length > LIMIT) return ResponseEntity.status(413).build();
        String signature = request.getHeader("X-Service-Signature");
        int status = receiver.receive(rawBody, Objects.requireNonNullElse(signature, ""));
        return ResponseEntity.status(status).build();
    }
}
