import { headerName } from '../headers.ts'
import { defineRawBodyCheck } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'spring',
  label: 'Spring Boot',
  language: 'Java',
  fileName: 'WebhooksController.java',
  note: 'A @RequestBody that is a class or a Map is parsed, and its bytes are lost; as a String it is decoded with a charset. Read the input stream of the request. Set server.port=3000 in application.properties, and let Spring Security permit this route without CSRF protection.',
  code: (brand) => `import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class WebhooksController {
    private static final int LIMIT = 10 * 1024 * 1024;
    // In production, use a table with a unique key: this forgets everything at a restart.
    private final Set<List<Object>> seen = ConcurrentHashMap.newKeySet();
    private final byte[] secret;

    public WebhooksController() {
        String value = Objects.requireNonNullElse(System.getenv("WEBHOOK_SECRET"), "");
        if (value.isEmpty()) throw new IllegalStateException("Set WEBHOOK_SECRET.");
        secret = value.getBytes(StandardCharsets.UTF_8);
    }

    private boolean isAuthentic(byte[] rawBody, String signature) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        String expected = HexFormat.of().formatHex(mac.doFinal(rawBody));
        // In constant time; false when the lengths differ.
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, Object> parse(byte[] rawBody) {
        try {
            return JsonParserFactory.getJsonParser().parseMap(new String(rawBody, StandardCharsets.UTF_8));
        } catch (JsonParseException error) {
            return null;
        }
    }

    private void process(String type, Map<String, Object> event) {
        Object target = event.get("targetUuid") != null ? event.get("targetUuid") : event.get("targetId");
        if (!seen.add(Arrays.asList(type, target, event.get("createdAt")))) return; // There is no event ID.
        switch (type) {
            case "OPEN_TAB", "CLOSE_TAB", "ORDER_PLACED", "PRODUCT_UPDATED" -> System.out.println(type + " " + target);
            default -> { } // New types may be added.
        }
    }

    @PostMapping("/webhooks")
    public ResponseEntity<Void> receive(HttpServletRequest request) throws Exception {
        byte[] rawBody = request.getInputStream().readNBytes(LIMIT + 1);
        if (rawBody.length > LIMIT) return ResponseEntity.status(413).build();
        String signature = Objects.requireNonNullElse(request.getHeader("${headerName(brand, 'signature')}"), "");
        if (!isAuthentic(rawBody, signature)) return ResponseEntity.status(401).build();
        Map<String, Object> event = parse(rawBody);
        if (event == null || !(event.get("type") instanceof String type)) return ResponseEntity.status(400).build();
        process(type, event); // Long work belongs in a queue.
        return ResponseEntity.noContent().build();
    }
}
`,
})
