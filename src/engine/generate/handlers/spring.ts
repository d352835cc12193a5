import { headerName } from '#catalogue/headers.ts'
import check from '#catalogue/raw-body-checks/spring.ts'
import { defineHandler } from '../generators.ts'
import types from '../languages/java.ts'
import type { PayloadModel } from '../model.ts'
import { readme } from '../projects/readme.ts'
import { blockComment, eventComment } from '../source-text.ts'

export default defineHandler(check, (model) => {
  const folder = 'src/main/java'
  const file = types.types(model)
  const path = `${folder}/${file.path}`
  return [
    { path: 'pom.xml', text: pom },
    { path: '.gitignore', text: 'target\n.env\n*.log\n' },
    { path: 'src/main/resources/application.properties', text: 'server.port=${PORT:3000}\n' },
    { path: `${folder}/webhooks/Application.java`, text: application },
    { path: `${folder}/webhooks/WebhooksController.java`, text: controller(model.brand) },
    { path: `${folder}/webhooks/Receiver.java`, text: receiver },
    { path: `${folder}/webhooks/EventHandlers.java`, text: eventHandlers(model) },
    { path, text: file.text },
    readme(model, {
      label: check.label,
      commands: ['mvn spring-boot:run'],
      eventHandlers: 'EventHandlers.java',
      receiver: 'Receiver.java',
      types: { path, language: types.id },
      note: 'If you add Spring Security, let it permit `/webhooks` without CSRF protection.',
    }),
  ]
})

const pom = `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>org.springframework.boot</groupId>
    <artifactId>spring-boot-starter-parent</artifactId>
    <version>3.5.0</version>
    <relativePath/>
  </parent>
  <groupId>webhooks</groupId>
  <artifactId>webhook-handler</artifactId>
  <version>0.1.0</version>
  <properties>
    <java.version>21</java.version>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.springframework.boot</groupId>
      <artifactId>spring-boot-starter-web</artifactId>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.springframework.boot</groupId>
        <artifactId>spring-boot-maven-plugin</artifactId>
      </plugin>
    </plugins>
  </build>
</project>
`

const application = `package webhooks;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class Application {
    public static void main(String[] args) {
        SpringApplication.run(Application.class, args);
    }
}
`

const controller = (brand: string): string => `package webhooks;

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
        String signature = request.getHeader("${headerName(brand, 'signature')}");
        int status = receiver.receive(rawBody, Objects.requireNonNullElse(signature, ""));
        return ResponseEntity.status(status).build();
    }
}
`

const receiver = `package webhooks;

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
`

function eventHandlers({ events }: PayloadModel): string {
  return `package webhooks;

import org.springframework.stereotype.Component;

@Component
class EventHandlers {
    /** Called once for each event, after the response, in the order in which events were received. An error is logged. */
    void handle(WebhookEvent.EventBase event) {
        switch (event) {
${events.map(({ name }) => `            case WebhookEvent.${name} each -> on${name}(each);\n`).join('')}        }
    }
${events
  .map(
    (event) => `
${blockComment(eventComment(event), '    ', 100)}    private void on${event.name}(WebhookEvent.${event.name} event) {
    }
`,
  )
  .join('')}}
`
}
