// Prints the email addresses of the members of a team, with Jackson for JSON:
//   SERVICE_URL=https://auth.example.com TOKEN=… TEAM=acme java -cp 'jackson/*' Members.java
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

public class Members {
    static final HttpClient client = HttpClient.newHttpClient();

    static JsonNode read(String url, int attempt) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + System.getenv("TOKEN")).build();
        var response = client.send(request, BodyHandlers.ofString());
        int status = response.statusCode();
        if (status == 200) return new ObjectMapper().readTree(response.body());
        boolean isTemporary = status == 429 || status >= 500;
        if (!isTemporary || attempt == 5) throw new Exception(status + " " + response.body());
        Thread.sleep(1000 * response.headers().firstValueAsLong("Retry-After").orElse(1L << (attempt - 1)));
        return read(url, attempt + 1);
    }

    public static void main(String[] arguments) throws Exception {
        String url = System.getenv("SERVICE_URL") + "/api/v1/teams/" + System.getenv("TEAM") + "/members?per_page=100";
        while (url != null) {
            JsonNode page = read(url, 1);
            for (JsonNode member : page.get("data")) System.out.println(member.get("email").asText());
            url = page.get("links").get("next").textValue();
        }
    }
}
