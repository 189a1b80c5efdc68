# A draft with a file, published, found, harvested; and a name. Needs `requests`.
import os
import uuid
import xml.etree.ElementTree as xml

import requests

REPOSITORY = os.environ.get("REPOSITORY_URL", "http://127.0.0.1:8002")
MINTER = os.environ.get("MINTER_URL", "http://127.0.0.1:8000")
OAI = "{http://www.openarchives.org/OAI/2.0/}"


def service(token):
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {token}"
    return session


def answer(response):
    if not response.ok:
        raise SystemExit(f"refused {response.status_code}: {response.text}")
    return response.json()


repository = service(os.environ.get("REPOSITORY_TOKEN", ""))
minter = service(os.environ.get("MINTER_TOKEN", ""))

title = f"Tides of the north, {uuid.uuid4()}"
metadata = {
    "title": title,
    "publication_date": "2026-05-06",
    "publisher": "Example",
    "resource_type": {"id": "dataset"},
    "creators": [{"person_or_org": {"type": "personal", "family_name": "Doe", "given_name": "Ada"}}],
}
draft = answer(repository.post(f"{REPOSITORY}/api/records", json={"files": {"enabled": True}, "metadata": metadata}))
files = f"{REPOSITORY}/api/records/{draft['id']}/draft/files"
answer(repository.post(files, json=[{"key": "tides.csv"}]))
answer(repository.put(f"{files}/tides.csv/content", data=b"day,height\n1,2.5\n"))
file = answer(repository.post(f"{files}/tides.csv/commit"))
print(f"uploaded {file['key']} {file['checksum']}")
published = answer(repository.post(f"{REPOSITORY}/api/records/{draft['id']}/draft/actions/publish"))
print(f"published {published['id']}")

found = answer(requests.get(f"{REPOSITORY}/api/records", params={"q": f'"{title}"', "size": 10}))
for record in found["hits"]["hits"]:
    print(f"found {record['id']}")

arguments = {"verb": "ListIdentifiers", "metadataPrefix": "oai_dc"}
while arguments:
    response = requests.get(f"{REPOSITORY}/oai", params=arguments)
    response.raise_for_status()
    harvested = xml.fromstring(response.content)
    for identifier in harvested.iter(f"{OAI}identifier"):
        print(f"harvested {identifier.text}")
    token = harvested.findtext(f".//{OAI}resumptionToken")
    arguments = {"verb": "ListIdentifiers", "resumptionToken": token} if token else None

minted = answer(minter.post(f"{MINTER}/api/mint", json={"title": title, "url": f"{REPOSITORY}/records/{published['id']}"}))
print(f"minted {minted['ark']}")
refused = minter.post(f"{MINTER}/api/mint", json={"url": "not an address"})
for fault in refused.json()["detail"]:
    print(f"refused {'.'.join(map(str, fault['loc']))}: {fault['msg']}")
