import { headerName } from '#catalogue/headers.ts'
import { defineTestFramework } from '../generators.ts'

export default defineTestFramework({
  id: 'xunit',
  label: 'xUnit.net',
  folder: 'fixtures',
  test: ({ brand, header }) => ({
    path: 'WebhooksTests.cs',
    text: `${header.map((line) => `// ${line}`.trimEnd()).join('\n')}

#nullable enable

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using Xunit;

public class WebhooksTests
{
    private static readonly string Url =
        Environment.GetEnvironmentVariable("WEBHOOK_URL") ?? "http://127.0.0.1:3000/webhooks";

    private static readonly byte[] Secret = Encoding.UTF8.GetBytes(
        Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "test-secret");

    private static readonly HttpClient Client =
        new(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = TimeSpan.FromSeconds(10) };

    public static IEnumerable<object[]> Fixtures() =>
        Directory.GetFiles(Folder(), "*.json")
            .OrderBy(file => file, StringComparer.Ordinal)
            .Select(file => new object[] { Path.GetFileNameWithoutExtension(file) });

    [Theory]
    [MemberData(nameof(Fixtures))]
    public async Task AcceptsAValidSignature(string fixture)
    {
        var body = await ReadBody(fixture);
        Assert.InRange(await Send(fixture, body, Sign(body)), 200, 299);
    }

    [Theory]
    [MemberData(nameof(Fixtures))]
    public async Task RejectsAChangedBody(string fixture)
    {
        var body = await ReadBody(fixture);
        // It is still valid JSON: only its signature is wrong.
        var changed = body.Append((byte)' ').ToArray();
        Assert.InRange(await Send(fixture, changed, Sign(body)), 400, 499);
    }

    [Theory]
    [MemberData(nameof(Fixtures))]
    public async Task RejectsAMissingSignature(string fixture)
    {
        Assert.InRange(await Send(fixture, await ReadBody(fixture), null), 400, 499);
    }

    [Theory]
    [MemberData(nameof(Fixtures))]
    public async Task AcceptsARepeatedDelivery(string fixture)
    {
        var body = await ReadBody(fixture);
        Assert.InRange(await Send(fixture, body, Sign(body)), 200, 299);
        Assert.InRange(await Send(fixture, body, Sign(body)), 200, 299);
    }

    /// <summary>Of the exact bytes: a parsed and formatted body has another signature.</summary>
    private static string Sign(byte[] body) =>
        Convert.ToHexString(HMACSHA256.HashData(Secret, body)).ToLowerInvariant();

    /// <summary>Returns the status of the response.</summary>
    private static async Task<int> Send(string fixture, byte[] body, string? signature)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, Url)
        {
            Content = new ByteArrayContent(body),
        };
        foreach (var line in await File.ReadAllLinesAsync(Path.Combine(Folder(), fixture + ".headers")))
        {
            var colon = line.IndexOf(':');
            if (colon < 1) continue;
            var (name, value) = (line[..colon], line[(colon + 1)..].Trim());
            // Those about the body belong to the content.
            if (!request.Headers.TryAddWithoutValidation(name, value))
            {
                request.Content.Headers.TryAddWithoutValidation(name, value);
            }
        }
        if (signature is not null)
        {
            request.Headers.Add("${headerName(brand, 'signature')}", signature);
        }
        using var response = await Client.SendAsync(request);
        return (int)response.StatusCode;
    }

    private static Task<byte[]> ReadBody(string fixture) =>
        File.ReadAllBytesAsync(Path.Combine(Folder(), fixture + ".json"));

    /// <summary>Beside this file, so that nothing has to be copied to the output folder.</summary>
    private static string Folder([CallerFilePath] string file = "") =>
        Path.Combine(Path.GetDirectoryName(file)!, "fixtures");
}
`,
  }),
})
