"""Words of car pages that are no make or model: colours, dealers, states. Plain lists, from general knowledge."""

COLOURS = '''Black; White; Silver; Grey; Blue; Red; Green; Yellow; Orange; Bronze; Beige; Purple; Metallic Blue;
Metallic Grey; Pearl White; Midnight Blue; Flame Red; Gunmetal; Champagne; Racing Green'''

DEALERS = '''Parkway Motors; Harlow & Finch Cars; Crossroads Car Centre; Bluebell Autos; Tollgate Trade Cars;
Millstone Motor Co; Summit Car Sales; Orchard Garage; Viaduct Vehicles; Greenacre Cars; Swan Lane Motors;
Beacon Approved Used'''

BADGES = 'Just arrived; Reduced; One owner; Low mileage; Reserved; Great value; Manager\'s special'
FEATURES = '''Bluetooth; Sat nav; Cruise control; Air conditioning; Parking sensors; Heated seats; Leather trim;
Reversing camera; DAB radio; Alloy wheels; Panoramic roof; Keyless entry; Isofix; Tow bar; Privacy glass'''
