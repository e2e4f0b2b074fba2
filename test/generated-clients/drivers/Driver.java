// Drives a service through the client that openapi-generator wrote for Java, with java.net.http and Jackson.
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.InvitationsApi;
import org.openapitools.client.api.InvoicesApi;
import org.openapitools.client.api.MembersApi;
import org.openapitools.client.api.TeamsApi;
import org.openapitools.client.model.Application;
import org.openapitools.client.model.Role;
import org.openapitools.client.model.TeamInvoice;
import org.openapitools.client.model.TeamInvoiceLine;
import org.openapitools.client.model.TeamInvoicePage;
import org.openapitools.client.model.TeamMember;
import org.openapitools.client.model.TeamMemberPage;
import org.openapitools.client.model.V1TeamsInvitationsStoreRequest;
import org.openapitools.client.model.V1TeamsUpdateRequest;

public class Driver {
  private static final ObjectMapper json = new ObjectMapper();

  interface Call {
    void run() throws ApiException;
  }

  static String env(String name) {
    return System.getenv(name);
  }

  // The library `native` sends no credentials of its own.
  static ApiClient connect(String token) {
    return new ApiClient().setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
  }

  static void report(String step, Object... results) throws Exception {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("step", step);
    for (int i = 0; i < results.length; i += 2) line.put((String) results[i], results[i + 1]);
    System.out.println(json.writeValueAsString(line));
  }

  static void reportError(String step, Call call) throws Exception {
    try {
      call.run();
    } catch (ApiException error) {
      JsonNode body = json.readTree(error.getResponseBody());
      if (step.equals("invalid")) report(step, "status", error.getCode(), "code", body.get("code"), "errors", body.get("errors"));
      else if (step.equals("rate limit")) {
        long seconds = error.getResponseHeaders().firstValueAsLong("Retry-After").getAsLong();
        report(step, "status", error.getCode(), "code", body.get("code"), "seconds", seconds);
      } else report(step, "status", error.getCode(), "code", body.get("code"));
    }
  }

  public static void main(String[] arguments) throws Exception {
    String team = env("TEAM");
    ApiClient client = connect(env("TOKEN"));
    TeamsApi teams = new TeamsApi(client);
    MembersApi members = new MembersApi(client);
    InvoicesApi invoices = new InvoicesApi(client);

    List<String> emails = new ArrayList<>();
    for (Integer page = 1; page != null; ) {
      TeamMemberPage result = members.v1TeamsMembersIndex(team, page, 2);
      for (TeamMember member : result.getData()) emails.add(member.getEmail());
      page = result.getLinks().getNext() == null ? null : page + 1;
    }
    report("pages", "emails", emails);

    TeamInvoice invoice = invoices.v1TeamsInvoicesIndex(team, null, null, null, "asc", List.of("lines")).getData().get(0);
    List<String> lines = new ArrayList<>();
    for (TeamInvoiceLine line : invoice.getLines()) lines.add(line.getDescription());
    report("expand", "lines", lines, "total", invoice.getTotal());
    TeamInvoicePage filtered = invoices.v1TeamsInvoicesIndex(team, null, null, Application.DEPLOY, null, null);
    List<String> numbers = new ArrayList<>();
    for (TeamInvoice each : filtered.getData()) numbers.add(each.getNumber());
    report("filter", "numbers", numbers);

    reportError("unauthenticated", () -> new TeamsApi(connect("unknown")).v1TeamsShow(team, null));
    MembersApi withoutScope = new MembersApi(connect(env("LIMITED_SCOPE_TOKEN")));
    reportError("forbidden", () -> withoutScope.v1TeamsMembersIndex(team, null, null));
    reportError("not found", () -> members.v1TeamsMembersShow(team, "unknown", null));
    reportError("invalid", () -> teams.v1TeamsUpdate(team, null, new V1TeamsUpdateRequest().name(" ")));

    String etag = teams.v1TeamsShowWithHttpInfo(team, null).getHeaders().get("etag").get(0);
    V1TeamsUpdateRequest renamed = new V1TeamsUpdateRequest().name("Renamed");
    report("update", "name", teams.v1TeamsUpdate(team, etag, renamed).getName());
    reportError("conflict", () -> teams.v1TeamsUpdate(team, etag, renamed));

    V1TeamsInvitationsStoreRequest invitation = new V1TeamsInvitationsStoreRequest().email(env("INVITED")).role(Role.MEMBER);
    InvitationsApi invitations = new InvitationsApi(client);
    ApiResponse<Void> first = invitations.v1TeamsInvitationsStoreWithHttpInfo(team, invitation, "java");
    ApiResponse<Void> second = invitations.v1TeamsInvitationsStoreWithHttpInfo(team, invitation, "java");
    List<Integer> statuses = List.of(first.getStatusCode(), second.getStatusCode());
    report("repeat", "statuses", statuses, "replayed", second.getHeaders().get("idempotency-replayed").get(0));

    URI url = URI.create(env("RATE_LIMITED_URL"));
    TeamsApi limited = new TeamsApi(connect(env("RATE_LIMITED_TOKEN")).setHost(url.getHost()).setPort(url.getPort()));
    limited.v1TeamsIndex();
    reportError("rate limit", () -> limited.v1TeamsIndex());
  }
}
