# A draft with a file, published, found, harvested; and a name. Needs `httr2`, and its `jsonlite`.
library(httr2)

repository <- Sys.getenv("REPOSITORY_URL", "http://127.0.0.1:8002")
minter <- Sys.getenv("MINTER_URL", "http://127.0.0.1:8000")

# A request with the token of its service; a refusal ends the script with its message.
service <- function(base, token) function(path, method = "GET") {
  request(paste0(base, path)) |>
    req_method(method) |>
    req_auth_bearer_token(Sys.getenv(token)) |>
    req_error(body = function(response) resp_body_string(response))
}
records <- service(repository, "REPOSITORY_TOKEN")
names_of <- service(minter, "MINTER_TOKEN")
answer <- function(request) resp_body_json(req_perform(request))

title <- paste("Tides of the north,", format(Sys.time(), "%Y%m%d%H%M%OS6"), Sys.getpid())
person <- list(type = "personal", family_name = "Doe", given_name = "Ada")
metadata <- list(
  title = title, publication_date = "2026-05-06", publisher = "Example",
  resource_type = list(id = "dataset"), creators = list(list(person_or_org = person))
)
draft <- records("/api/records", "POST") |>
  req_body_json(list(files = list(enabled = TRUE), metadata = metadata)) |>
  answer()
files <- paste0("/api/records/", draft$id, "/draft/files")
records(files, "POST") |> req_body_json(list(list(key = "tides.csv"))) |> answer() |> invisible()
records(paste0(files, "/tides.csv/content"), "PUT") |>
  req_body_raw(charToRaw("day,height\n1,2.5\n"), "text/csv") |>
  answer() |>
  invisible()
file <- records(paste0(files, "/tides.csv/commit"), "POST") |> answer()
cat("uploaded", file$key, file$checksum, "\n")
published <- records(paste0("/api/records/", draft$id, "/draft/actions/publish"), "POST") |> answer()
cat("published", published$id, "\n")

found <- records("/api/records") |> req_url_query(q = paste0('"', title, '"'), size = 10) |> answer()
for (record in found$hits$hits) cat("found", record$id, "\n")

arguments <- list(verb = "ListIdentifiers", metadataPrefix = "oai_dc")
while (!is.null(arguments)) {
  xml <- request(paste0(repository, "/oai")) |> req_url_query(!!!arguments) |> req_perform() |> resp_body_string()
  for (identifier in regmatches(xml, gregexpr("(?<=<identifier>)[^<]+", xml, perl = TRUE))[[1]]) {
    cat("harvested", identifier, "\n")
  }
  token <- regmatches(xml, regexpr("(?<=>)[^<]+(?=</resumptionToken>)", xml, perl = TRUE))
  arguments <- if (length(token) > 0) list(verb = "ListIdentifiers", resumptionToken = token)
}

page <- paste0(repository, "/records/", published$id)
minted <- names_of("/api/mint", "POST") |> req_body_json(list(title = title, url = page)) |> answer()
cat("minted", minted$ark, "\n")
refused <- names_of("/api/mint", "POST") |>
  req_body_json(list(url = "not an address")) |>
  req_error(is_error = function(response) FALSE) |>
  answer()
for (fault in refused$detail) cat("refused ", paste(fault$loc, collapse = "."), ": ", fault$msg, "\n", sep = "")
