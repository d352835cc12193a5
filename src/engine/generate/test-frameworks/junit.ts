import { headerName } from '#catalogue/headers.ts'
import { defineTestFramework } from '../generators.ts'

export default defineTestFramework({
  id: 'junit',
  label: 'JUnit 5',
  folder: 'src/test/resources/fixtures',
  test: ({ brand, header }) => ({
    path: 'src/test/java/WebhooksTest.java',
    text: `${header.map((line) => `// ${line}`.trimEnd()).join('\n')}

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WebhooksTest {
    private static final URI ENDPOINT =
            URI.create(setting("WEBHOOK_URL", "http://127.0.0.1:3000/webhooks"));
    private static final String SECRET = setting("WEBHOOK_SECRET", "test-secret");
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    record Fixture(String name, List<String> headers, byte[] body) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Fixture> fixtures() throws Exception {
        var resource = Objects.requireNonNull(WebhooksTest.class.getResource("/fixtures"));
        try (var files = Files.list(Path.of(resource.toURI()))) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(WebhooksTest::read)
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void acceptsAValidSignature(Fixture fixture) throws Exception {
        assertEquals(2, send(fixture, fixture.body(), sign(fixture.body())) / 100);
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void rejectsAChangedBody(Fixture fixture) throws Exception {
        // It is still valid JSON: only its signature is wrong.
        var changed = Arrays.copyOf(fixture.body(), fixture.body().length + 1);
        changed[fixture.body().length] = ' ';
        assertEquals(4, send(fixture, changed, sign(fixture.body())) / 100);
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void rejectsAMissingSignature(Fixture fixture) throws Exception {
        assertEquals(4, send(fixture, fixture.body(), null) / 100);
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void acceptsARepeatedDelivery(Fixture fixture) throws Exception {
        assertEquals(2, send(fixture, fixture.body(), sign(fixture.body())) / 100);
        assertEquals(2, send(fixture, fixture.body(), sign(fixture.body())) / 100);
    }

    /** Of the exact bytes: a parsed and formatted body has another signature. */
    private static String sign(byte[] body) throws GeneralSecurityException {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(body));
    }

    /** Returns the status of the response. */
    private static int send(Fixture fixture, byte[] body, String signature)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(ENDPOINT)
                .timeout(Duration.ofSeconds(10))
                .POST(BodyPublishers.ofByteArray(body));
        for (var line : fixture.headers()) {
            var colon = line.indexOf(':');
            if (colon > 0) {
                request.header(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        }
        if (signature != null) {
            request.setHeader("${headerName(brand, 'signature')}", signature);
        }
        return CLIENT.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    private static Fixture read(Path file) {
        var name = file.getFileName().toString().replace(".json", "");
        try {
            return new Fixture(
                    name,
                    Files.readAllLines(file.resolveSibling(name + ".headers")),
                    Files.readAllBytes(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String setting(String name, String otherwise) {
        return System.getenv().getOrDefault(name, otherwise);
    }
}
`,
  }),
})
