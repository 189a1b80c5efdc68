# Harvests a repository with HTTP::OAI (Debian: libhttp-oai-perl), a client nobody here wrote, and prints what it was told, a line for each.
use strict;
use warnings;
use HTTP::OAI;
use HTTP::OAI::Metadata::OAI_DC;
binmode STDOUT, ':encoding(UTF-8)';

my ($base, $verb, @arguments) = @ARGV;
my $harvester = HTTP::OAI::Harvester->new(baseURL => $base, resume => 1);

sub check {
  my ($answer) = @_;
  return $answer if $answer->is_success;
  print join("\t", 'error', join(' ', map { $_->code } $answer->errors)), "\n";
  exit 0;
}

if ($verb eq 'Identify') {
  my $answer = check($harvester->Identify);
  print join("\t", $answer->repositoryName, $answer->baseURL, $answer->deletedRecord, $answer->granularity), "\n";
} elsif ($verb eq 'ListSets') {
  my $answer = check($harvester->ListSets);
  while (my $set = $answer->next) { print join("\t", $set->setSpec, $set->setName), "\n" }
} elsif ($verb eq 'ListMetadataFormats') {
  my $answer = check($harvester->ListMetadataFormats);
  while (my $format = $answer->next) { print $format->metadataPrefix, "\n" }
} else {
  # Handed over one by one: `next` would only see the last answer of a list.
  my $tell = sub {
    my ($record) = @_;
    my $header = $verb eq 'ListIdentifiers' ? $record : $record->header;
    my $title = '';
    if ($verb ne 'ListIdentifiers' && !$header->is_deleted) { $title = $record->metadata->dc->{title}[0] }
    print join("\t", $header->identifier, $header->datestamp, $header->is_deleted ? 'deleted' : 'shown',
      join(' ', sort map { ref $_ ? $_->setSpec : $_ } $header->setSpec), $title), "\n";
  };
  check($harvester->$verb(@arguments, onRecord => $tell, handlers => { metadata => 'HTTP::OAI::Metadata::OAI_DC' }));
}
